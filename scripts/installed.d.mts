export function isInstalled(folder: string): boolean;
export function noteLeftOut(folder: string): void;
