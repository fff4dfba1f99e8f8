/** A number with commas between its thousands. */
export const formatCount = (value: number): string => value.toLocaleString('en');
