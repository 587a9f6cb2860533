// The functions of TypeScript that the module calls.

/** Calls `TextCounts.count`: counts a text by its hashes. Returns how often it was shown before. */
export declare function countText(first: i32, second: i32): i32
