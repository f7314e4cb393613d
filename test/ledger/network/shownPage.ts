import { Script } from 'node:vm';

/** As much of a document's node as the page's script uses. */
class ShownNode {
  readonly children: (ShownNode | string)[] = [];
  readonly attributes = new Map<string, string>();
  content = '';
  textContent = '';
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
  addEventListener(): void {}
  focus(): void {}
  get text(): string {
    return this.children.map((one) => (typeof one === 'string' ? one : one.text)).join(' ');
  }
}

/** Runs the page's script as a browser would that opened it at a path. @returns the text of its main part, once it is drawn */
export async function shownPage(url: string, path: string): Promise<string> {
  const page = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(await page.text()) ?? [];
  const parts = new Map<string, ShownNode>();
  const part = (id: string): ShownNode => {
    const found = parts.get(id) ?? new ShownNode();
    parts.set(id, found);
    return found;
  };
  const drawn = new Promise<void>((resolve) => {
    const main = part('main');
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
    location: { pathname: path },
    document: {
      getElementById: part,
      querySelector: () => new ShownNode(),
      createElement: () => new ShownNode(),
      createTextNode: (text: string) => text,
      activeElement: null,
    },
    scrollY: 0,
    scrollTo: () => {},
    fetch: (to: string, options: RequestInit) => fetch(`${url}${to}`, options),
  });
  await drawn;
  return part('main').text.replace(/\s+/g, ' ');
}
