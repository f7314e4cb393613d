const SEPARATORS = /[/._\-~?&=:{}[\]%+@#]+/g;

/** Returns the words of a URL: host, path and template parameters, separated. */
export const urlText = (url: string): string =>
  url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(SEPARATORS, ' ');
