import { listContacts } from '#contract/additions.ts';
import { useCapability } from '../session/useSession.ts';
import { PageTitle } from '../shell/PageTitle.tsx';
import { ContactsTable } from './ContactsTable.tsx';
import { LookUp } from './LookUp.tsx';
import { RecentContacts } from './RecentContacts.tsx';

/** Find one contact by whatever one has; below, all of them where the service can list them. */
export function ContactsPage() {
  const canList = useCapability(listContacts);
  return (
    <>
      <PageTitle title="Contacts" />
      <LookUp />
      {canList ? <ContactsTable /> : <RecentContacts />}
    </>
  );
}
