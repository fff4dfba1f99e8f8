import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useSetting, writeSetting } from '../ui/page/settings.ts';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './TryThese.module.css';

/** As in server/demo/demo.ts. */
const DEMO = 'Acme Mail (demo)';

const DISMISSED = 'demo-dismissed';

const PROPOSALS = [
  {
    id: 'grace',
    email: 'grace.adeyemi@example.com',
    name: 'Grace Adeyemi',
    what: '25,000 events. When does she read email, and what did she do in May?',
  },
  {
    id: 'hana',
    email: 'hana.lindgren@example.com',
    name: 'Hana Lindgren',
    what: 'Unsubscribed today. By whom, and why?',
  },
  {
    id: 'mateo',
    email: 'mateo.costa@example.com',
    name: 'Mateo Costa',
    what: 'Exists twice, with two addresses. Unsubscribe both.',
  },
];

export function TryThese({ workspace }: { workspace: string | null }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const dismissed = useSetting(DISMISSED)?.split(' ') ?? [];
  const left = PROPOSALS.filter(({ id }) => !dismissed.includes(id));
  if (workspace !== DEMO || left.length === 0) return null;
  return (
    <section aria-label="Contacts to try in the demo">
      <ul className={classes.proposals}>
        {left.map(({ id, email, name, what }) => (
          <li key={id} className={classes.proposal}>
            <p>
              <Link to={paths.contact(email)}>{name}</Link>
              <span className="note">{what}</span>
            </p>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={`Dismiss ${name}`}
              title="Dismiss"
              onClick={() => writeSetting(DISMISSED, [...dismissed, id].join(' '))}
            >
              <IconX size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  );
}
