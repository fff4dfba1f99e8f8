// What the page of domains loads after its rows, in one file.
export { CheckedRows } from './CheckedRows.tsx';
export { FindingPeek } from './FindingPeek.tsx';
export { OldLink } from './OldLink.tsx';
export { RecordsExport } from './RecordsExport.tsx';
export { TableTools } from './TableTools.tsx';
