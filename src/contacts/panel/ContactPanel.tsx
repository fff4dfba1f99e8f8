import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { useQuery } from '@tanstack/react-query';
import { personName } from '../../identity/person.ts';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { EndCut } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { contactQuery } from '../queries.ts';
import classes from './ContactPanel.module.css';
import { ContactSummary } from './ContactSummary.tsx';

/** A contact next to a list: who it is, the state and why, the last of the story, and the two actions. */
export function ContactPanel({ contact, onClose }: { contact: string; onClose: () => void }) {
  const { data } = useQuery(contactQuery(contact));
  const name = data === undefined ? 'Contact' : personName(data.data);
  return (
    <SidePanel
      className={classes.panel}
      label={`Contact ${escapeInvisible(name)}`}
      title={
        <Link to={paths.contact(contact)}>
          <EndCut text={name} />
        </Link>
      }
      onClose={onClose}
    >
      <ContactSummary contact={contact} />
    </SidePanel>
  );
}
