import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What a step of the story found, for the report. */
export interface Told {
  /** Sentences and lists of what happened, in Markdown. */
  readonly text: readonly string[];
  /** File name of a picture of the editor, and what it shows. */
  readonly picture?: readonly [file: string, alt: string];
}

interface Step extends Told {
  readonly title: string;
  readonly seconds: number;
}

interface Chapter {
  readonly title: string;
  readonly steps: Step[];
}

/** The story as it happens: each step is run, timed, printed and kept for the report. */
export class Tale {
  readonly pictures: string;
  readonly #page: string;
  readonly #chapters: Chapter[] = [];
  readonly #began = performance.now();

  /** @param folder where `story.md` goes; pictures are below it */
  constructor(folder: string) {
    this.#page = join(folder, 'story.md');
    this.pictures = join(folder, 'pictures', 'story');
    mkdirSync(this.pictures, { recursive: true });
  }

  chapter(title: string): void {
    console.log(`\n${title}`);
    this.#chapters.push({ title, steps: [] });
  }

  /** Runs a step; what it throws ends the story. */
  async step(title: string, run: () => Promise<Told>): Promise<void> {
    const begun = performance.now();
    const told = await run();
    const seconds = (performance.now() - begun) / 1_000;
    console.log(`  ${this.#seconds().padStart(6)} s  ${title}`);
    this.#chapters.at(-1)?.steps.push({ title, seconds, ...told });
  }

  #seconds(): string {
    return ((performance.now() - this.#began) / 1_000).toFixed(1);
  }

  /** Writes the report. @param facts one line each on where it ran, and with what */
  write(facts: readonly string[]): void {
    const at = relative(dirname(this.#page), this.pictures);
    let number = 0;
    const steps = ({ title, seconds, text, picture }: Step): string => {
      number++;
      return [
        `### ${number}. ${title}`,
        `*${seconds.toFixed(1)} s*`,
        ...text,
        ...(picture === undefined ? [] : [`![${picture[1]}](${at}/${picture[0]})`]),
      ].join('\n\n');
    };
    const chapters = this.#chapters.map((chapter) =>
      [`## ${chapter.title}`, ...chapter.steps.map(steps)].join('\n\n'),
    );
    writeFileSync(
      this.#page,
      `# The whole loop, as it happened

\`npm run story\` runs this story over the real parts and writes this page: what each step found was asserted before it was written down.
Keys are new in every run, so addresses and hashes differ; everything else is the same.

${facts.map((fact) => `- ${fact}`).join('\n')}

${chapters.join('\n\n')}

The whole story took ${this.#seconds()} seconds.
`,
    );
  }
}
