import { folderDrawing, readImports } from './folderDrawing.ts';
import { projectFile } from './projectFile.ts';
import { settlementDrawing } from './settlementDrawing.ts';

/** `docs/architecture.md`: written by hand, but for the drawings between the marks. */
export function architecturePage(): string {
  const imports = readImports();
  const drawings: Readonly<Record<string, string>> = {
    folders: folderDrawing('src', imports),
    service: folderDrawing('src/server', imports),
    network: folderDrawing('network/src', imports),
    settlement: settlementDrawing(),
  };
  return projectFile('docs/architecture.md').replaceAll(
    /(<!-- drawn: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_whole, begin: string, name: string, end: string) => {
      const drawing = drawings[name];
      if (drawing === undefined) throw new Error(`no drawing is called ${name}`);
      return `${begin}\n${drawing}\n${end}`;
    },
  );
}
