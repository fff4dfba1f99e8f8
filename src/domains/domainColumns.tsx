import type { ReadableDomain } from '#contract/domain.ts';
import type { Column } from '../table/DataTable.tsx';
import { MiddleCut } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';

/** The first column of tables of domains: the name, which leads to the page of the domain. */
export const nameColumn = (width: number | string): Column<ReadableDomain> => ({
  id: 'name',
  header: 'Domain',
  cell: (domain) => (
    <Link to={paths.domain(domain.name)}>
      <MiddleCut text={domain.name} />
    </Link>
  ),
  width,
  fits: true,
});
