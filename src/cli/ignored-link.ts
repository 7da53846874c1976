// One sentence for what is left out because a project is not trusted.

/** What is said of a file or folder that was left out. */
export function ignoredLink(path: string): string {
  return `${path} ignored: it is a symbolic link out of the project, which is not trusted`;
}
