import { dateFormat } from '../../ui/format/time.ts';

export const localMonth = dateFormat({ month: 'long', year: 'numeric' }, true);
export const localYear = dateFormat({ year: 'numeric' }, true);
