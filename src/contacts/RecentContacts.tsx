import { useQuery, useQueryClient } from '@tanstack/react-query';
import { personName } from '../identity/person.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { contactQuery, recentContactsQuery } from './queries.ts';
import classes from './RecentContacts.module.css';

export function RecentContacts() {
  const client = useQueryClient();
  const { data: recent } = useQuery(recentContactsQuery);
  return (
    <section className={classes.recent} aria-labelledby="recent">
      <h2 id="recent">Opened since you signed in</h2>
      {recent.length === 0 ? (
        <p>None yet. This service can’t list contacts; look one up above.</p>
      ) : (
        <ul>
          {recent.map((contact) => {
            const record = client.getQueryData(contactQuery(contact).queryKey)?.data;
            return (
              <li key={contact}>
                <Link to={paths.contact(contact)}>
                  <UntrustedText text={record === undefined ? contact : personName(record)} />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
