/** Makes each address of the extension's page absolute; without a repository, leaves pictures out and keeps words of links. */
export function extensionReadme(text: string, repository: string | undefined): string;
