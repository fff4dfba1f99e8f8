// Spreadsheets take a cell for a formula when it begins with one of a few signs; an apostrophe in front says that it is
// text. Where a cell begins is for the reader to say: where a decimal number has a comma, semicolons part cells, and
// what stood in quotes for another reader may be several cells and lines.

/** As they are, as East Asian input writes them, and the minus of typesetting. */
const SIGN = String.raw`[=＝﹦+＋﹢\-－﹣−@＠﹫]`;
/** What some reader passes over to find the sign, quotes too; all but what parts cells. */
const PASSED = String.raw`(?:(?![\t\r\n;])[\s"'\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800])*`;
const PARTS = String.raw`[\t\r\n;]`;

const FORMULA = new RegExp(`^(?=${PASSED}(?:${SIGN}|[\\t\\r\\n]))|(?<=${PARTS})(?=${PASSED}${SIGN})`, 'gu');
const GUARDED = new RegExp(`^'(?=${PASSED}(?:${SIGN}|[\\t\\r\\n]))|(?<=${PARTS})'(?=${PASSED}${SIGN})`, 'gu');
const FORMULA_IN_JSON = new RegExp(`;(?=${PASSED}${SIGN})`, 'gu');

/** `text` with an apostrophe wherever a formula could begin. Also where one stands already, so that `unescapeFormulas` takes one away. */
export function escapeFormulas(text: string): string {
  return text.replaceAll(FORMULA, "'");
}

/** The text that was guarded. */
export function unescapeFormulas(cell: string): string {
  return cell.replaceAll(GUARDED, '');
}

/** JSON of the same value, in which no formula can begin. */
export function escapeFormulasInJson(json: string): string {
  return json.replaceAll(FORMULA_IN_JSON, String.raw`\u003b`);
}
