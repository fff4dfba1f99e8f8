// Spreadsheets read a cell that begins with certain signs as a formula, and with an apostrophe as text. They disagree on where a cell
// begins: some separate cells at semicolons, some ignore quotes. So a formula may begin after any separator in a text.

/** The signs, their full-width and small forms, and the minus sign of typography. */
const SIGN = String.raw`[=＝﹦+＋﹢\-－﹣−@＠﹫]`;
/** Characters that some program skips before the sign, quotes included; no separators. */
const PASSED = String.raw`(?:(?![\t\r\n;])[\s"'\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800])*`;
const PARTS = String.raw`[\t\r\n;]`;

const FORMULA = new RegExp(`^(?=${PASSED}(?:${SIGN}|[\\t\\r\\n]))|(?<=${PARTS})(?=${PASSED}${SIGN})`, 'gu');
const GUARDED = new RegExp(`^'(?=${PASSED}(?:${SIGN}|[\\t\\r\\n]))|(?<=${PARTS})'(?=${PASSED}${SIGN})`, 'gu');
const FORMULA_IN_JSON = new RegExp(`;(?=${PASSED}${SIGN})`, 'gu');

/** `text` with an apostrophe wherever a formula, or an apostrophe before one, could begin. */
export function escapeFormulas(text: string): string {
  return text.replaceAll(FORMULA, "'");
}

/** Reverses `escapeFormulas`. */
export function unescapeFormulas(cell: string): string {
  return cell.replaceAll(GUARDED, '');
}

/** Equivalent JSON in which no formula can begin. */
export function escapeFormulasInJson(json: string): string {
  return json.replaceAll(FORMULA_IN_JSON, String.raw`\u003b`);
}
