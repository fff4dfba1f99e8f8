const EMAIL_MAX = 254;
const EMAIL = /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/;

export const isEmail = (cell: string): boolean => cell.length <= EMAIL_MAX && EMAIL.test(cell.trim());

/** Whether a first line is data by its form: no column is called like an email address. */
export const isDataLine = (cells: readonly string[]): boolean => cells.some(isEmail);
