/** Makes each URL of the extension's page absolute. Without a repository, omits pictures and keeps only the text of links. */
export function extensionReadme(text: string, repository: string | undefined): string;
