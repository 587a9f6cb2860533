/** Variable with the bytes from which glibc gives memory back to the system as soon as it is freed. */
export const THRESHOLD = 'MALLOC_MMAP_THRESHOLD_'

// The processes that tests start are to allocate as those of users do. This one has read it at its start.
delete process.env[THRESHOLD]
