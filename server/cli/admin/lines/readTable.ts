import { parse } from 'csv-parse/sync';
import { CommandError } from '../../terminal/terminal.ts';
import { delimiterOf } from '#contract/importFiles/csvRecords.ts';
import { isDataLine } from '#contract/importFiles/headerLine.ts';
import { type FileLine, type UnreadableLine } from './readLines.ts';

export type TableRow = { number: number; cells: string[] } | UnreadableLine;

/** The rows of a CSV file that have cells; the first has the names of the columns. Throws `CommandError` without one. */
export async function* readTable(lines: AsyncIterable<FileLine>): AsyncGenerator<TableRow> {
  let header: { delimiter: string; width: number } | null = null;
  for await (const line of lines) {
    const { number } = line;
    const delimiter: string = header?.delimiter ?? ('fault' in line ? ',' : delimiterOf(line.text));
    const cells = 'fault' in line ? null : split(line.text, delimiter);
    if (header === null) {
      if (cells === null) {
        const why = 'fault' in line ? ` ${line.fault}` : '';
        throw new CommandError(`The first line can't be read as column names.${why}`);
      }
      if (cells.length === 0) continue;
      if (isDataLine(cells)) {
        throw new CommandError(
          'The first line has an email address, so it names no columns. Put a line before it that does, such as email,first_name.',
        );
      }
      header = { delimiter, width: cells.length };
      yield { number, cells };
    } else if ('fault' in line) {
      yield line;
    } else if (cells === null) {
      yield { number, fault: 'A cell has a quote in the wrong place.' };
    } else if (cells.every((cell) => cell === '')) {
      continue;
    } else if (cells.length !== header.width) {
      yield { number, fault: `The line has ${cells.length} cells; the first line has ${header.width}.` };
    } else {
      yield { number, cells };
    }
  }
  if (header === null) throw new CommandError('The file is empty. Its first line must name the columns.');
}

function split(text: string, delimiter: string): string[] | null {
  if (text.trim() === '') return [];
  try {
    // The text is a single record: line breaks in it are inside quotes.
    const [cells = []] = parse(text, { delimiter, record_delimiter: '\n', max_record_size: 0 });
    return cells;
  } catch {
    return null;
  }
}
