/** Commas separate words, except inside quotes. */
export const searchWordsOf = (text: string): string =>
  text.replaceAll(/("[^"]*(?:"|$))|,/g, (_, phrase?: string) => phrase ?? ' ').trim();
