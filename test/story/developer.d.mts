/** A developer in a real editor: the newest code-server in Chromium, with the packed extension. */
export interface Developer {
  /** The account that payment gates of this editor pay. */
  readonly payTo: string;
  /** Opens the sidebar and makes an address that can be paid. */
  createWallet(): Promise<void>;
  /** Puts a price before the route with the command, and saves. Returns the file's text afterwards. */
  addPayment(file: string, route: string, price: string): Promise<string>;
  /** "Svc: Test Payment by URL"; resolves when the panel says that it settled. */
  testPayment(url: string): Promise<void>;
  /** What the earnings view says; resolves when it is this, and as many settlements are listed. */
  seeEarnings(total: string, settlements: number): Promise<string>;
  /** Rows of a view of the sidebar, as text. */
  rows(view: 'Wallet' | 'My Endpoints' | 'Recent Settlements'): Promise<readonly string[]>;
  seeRow(view: 'Wallet' | 'My Endpoints' | 'Recent Settlements', text: string): Promise<void>;
  /** Changes settings of the workspace. */
  set(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** A picture of the window, as JPEG of at most 120 kB. */
  picture(file: string): Promise<void>;
  close(): Promise<void>;
}

export interface DeveloperOptions {
  /** Folder with code-server. */
  readonly editor: string;
  readonly vsix: string;
  /** The project that is opened. */
  readonly project: string;
  /** Settings of this machine. */
  readonly machine: Readonly<Record<string, unknown>>;
}

export function openDeveloper(options: DeveloperOptions): Promise<Developer>;
