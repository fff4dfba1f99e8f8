import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getContact, listContacts } from '#contract/additions.ts';
import { personName } from '../identity/person.ts';
import { useCapability } from '../session/useSession.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './find/FindBox.module.css';
import { suggestContacts } from './suggestContacts.ts';

/** Offers the contacts that a mistyped address may mean. Shows nothing while there is none. */
export function DidYouMean({ address, onOpen }: { address: string; onOpen: (contact: string) => void }) {
  const client = useQueryClient();
  const [canRead, canList] = [useCapability(getContact), useCapability(listContacts)];
  // An error is not shown: the look-up itself has told that there is no such contact.
  const { data = [] } = useQuery({
    queryKey: ['contacts like', address],
    queryFn: () => suggestContacts(client, address, { canRead, canList }),
    retry: false,
  });
  if (data.length === 0) return null;
  return (
    <div className={classes.people}>
      Did you mean
      {data.map(({ address: near, contact, record }) => (
        <Button key={contact} size="xs" variant="default" onClick={() => onOpen(contact)}>
          <span>
            <UntrustedText text={near} />
            {record !== null && (
              <>
                {' '}
                (<UntrustedText text={personName(record)} />)
              </>
            )}
            ?
          </span>
        </Button>
      ))}
    </div>
  );
}
