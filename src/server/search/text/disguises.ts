/** Characters that are not shown: they would split a word, or make two of the same one. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const OTHER_SCRIPT = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const RUN = /[\p{L}\p{M}]+/gu;
const LATIN = /\p{Script=Latin}/u;

/** Letters of other scripts that look like the Latin letter at the same place. */
const LOOKS_LIKE = new Map<string, string>();
for (const [others, latin] of [
  ['аеорсухіјѕһԁԛԝӏѵ', 'aeopcyxijshdqwlv'],
  ['АВЕКМНОРСТУХІЈЅԌԚԜ', 'ABEKMHOPCTYXIJSGQW'],
  ['αοινρυχτκγ', 'aoivpuxtky'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['օսհոցզԱՏՕ', 'ouhngqUSO'],
] as const) {
  const letters = [...others];
  letters.forEach((letter, n) => {
    LOOKS_LIKE.set(letter, latin[n] ?? letter);
  });
}

/**
 * Returns a text without invisible characters, and with Latin letters where a word mixes Latin with letters of other scripts
 * that look like them. A word that is wholly in another script is unchanged.
 */
export function withoutDisguise(text: string): string {
  const shown = text.replace(INVISIBLE, '');
  if (!OTHER_SCRIPT.test(shown)) return shown;
  return shown.replace(RUN, (run) =>
    LATIN.test(run) && OTHER_SCRIPT.test(run)
      ? [...run].map((letter) => LOOKS_LIKE.get(letter) ?? letter).join('')
      : run,
  );
}
