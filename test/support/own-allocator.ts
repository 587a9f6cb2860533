/** Environment variable: size in bytes from which glibc returns freed memory to the system at once. */
export const THRESHOLD = 'MALLOC_MMAP_THRESHOLD_'

// Processes that tests start must allocate like those of users. This process has read the variable at its start.
delete process.env[THRESHOLD]
