import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageTitle title="Page not found" />
      <p>
        Go to <Link to={paths.contacts}>Contacts</Link>, <Link to={paths.bulk}>Bulk unsubscribe</Link> or{' '}
        <Link to={paths.domains}>Domains</Link>.
      </p>
    </>
  );
}
