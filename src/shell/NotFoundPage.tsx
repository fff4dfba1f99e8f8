import { Link } from 'react-router';
import { paths } from '../url/paths.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageTitle title="There is no such page" />
      <p>
        The console has <Link to={paths.contacts}>contacts</Link>, a <Link to={paths.desk}>desk</Link> and{' '}
        <Link to={paths.domains}>domains</Link>.
      </p>
    </>
  );
}
