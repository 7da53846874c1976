// The names of the built-in tools, for who needs no more of them than that.

export const BUILT_IN_TOOLS: readonly string[] = ["read", "ls", "find", "grep", "write", "edit", "bash"];
