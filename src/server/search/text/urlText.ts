const SEPARATORS = /[/._\-~?&=:{}[\]%+@#]+/g;

/** The words of an address: host, path and template parameters, apart from each other. */
export const urlText = (url: string): string =>
  url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(SEPARATORS, ' ');
