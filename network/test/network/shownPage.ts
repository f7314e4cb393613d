import { Script } from 'node:vm';

/** As much of a document's node as the page's script uses. */
export class ShownNode {
  readonly tag: string;
  readonly children: (ShownNode | string)[] = [];
  readonly attributes = new Map<string, string>();
  readonly #listeners = new Map<string, (event: object) => void>();
  content = '';
  value = '';
  className = '';
  disabled = false;
  hidden = false;
  constructor(tag = '') {
    this.tag = tag;
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }
  append(child: ShownNode | string): void {
    this.children.push(child);
  }
  replaceChildren(...children: (ShownNode | string)[]): void {
    this.children.splice(0, this.children.length, ...children.flat());
  }
  querySelectorAll(): ShownNode[] {
    return [];
  }
  addEventListener(name: string, listener: (event: object) => void): void {
    this.#listeners.set(name, listener);
  }
  /** What a person does: chooses, clicks, submits. */
  do(name: string): void {
    this.#listeners.get(name)?.({ preventDefault() {}, target: this });
  }
  focus(): void {}
  get childElementCount(): number {
    return this.children.filter((one) => typeof one !== 'string').length;
  }
  set textContent(text: string) {
    this.replaceChildren(text);
  }
  get textContent(): string {
    return this.text;
  }
  get text(): string {
    return this.children.map((one) => (typeof one === 'string' ? one : one.text)).join(' ');
  }
  /** This node and all below it. */
  *all(): Generator<ShownNode> {
    yield this;
    for (const child of this.children) if (typeof child !== 'string') yield* child.all();
  }
}

/** A page that a browser shows. */
export interface OpenPage {
  /** The text of its main part. */
  text(): string;
  /** The first node of a tag that has this text, or this name. */
  find(tag: string, what: string): ShownNode;
  /** A part of the page by its id. */
  part(id: string): ShownNode;
  readonly location: { pathname: string; href?: string };
}

/** Runs the page's script as a browser would that opened it at a path. Resolves once its main part is drawn. */
export async function openPage(url: string, path: string): Promise<OpenPage> {
  const page = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(await page.text()) ?? [];
  const parts = new Map<string, ShownNode>();
  const part = (id: string): ShownNode => {
    const found = parts.get(id) ?? new ShownNode();
    parts.set(id, found);
    return found;
  };
  const main = part('main');
  const location: OpenPage['location'] = { pathname: path };
  const drawn = new Promise<void>((resolve) => {
    const replace = main.replaceChildren.bind(main);
    main.replaceChildren = (...children) => {
      replace(...children);
      resolve();
    };
  });
  new Script(script).runInNewContext({
    Node: ShownNode,
    HTMLTableCellElement: class {},
    EventSource: class {},
    FormData: class {
      get(): string {
        return part('what').value;
      }
    },
    location,
    document: {
      getElementById: part,
      querySelector: () => new ShownNode(),
      createElement: (tag: string) => new ShownNode(tag),
      createTextNode: (text: string) => text,
      activeElement: null,
    },
    scrollY: 0,
    scrollTo: () => {},
    ...{ atob, btoa, crypto, setTimeout, Uint8Array },
    fetch: (to: string, options: RequestInit) => fetch(`${url}${to}`, options),
  });
  await drawn;
  return {
    location,
    part,
    text: () => main.text.replace(/\s+/g, ' '),
    find(tag, what) {
      for (const node of main.all()) {
        const named = node.getAttribute('name') === what || node.text.trim() === what;
        if (node.tag === tag && named) return node;
      }
      throw new Error(`the page has no ${tag} ${what}`);
    },
  };
}

/** @returns the text of the page's main part, once it is drawn */
export async function shownPage(url: string, path: string): Promise<string> {
  return (await openPage(url, path)).text();
}
