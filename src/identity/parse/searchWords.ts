/** What a list is searched for: commas part words, but in a phrase between quotes. */
export const searchWordsOf = (text: string): string =>
  text.replaceAll(/("[^"]*(?:"|$))|,/g, (_, phrase?: string) => phrase ?? ' ').trim();
