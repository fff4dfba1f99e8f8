import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useHref } from 'react-router';
import { personName } from '../../identity/person.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { paths } from '../../url/paths.ts';
import { contactQuery } from '../queries.ts';
import classes from './ContactPanel.module.css';
import { ContactSummary } from './ContactSummary.tsx';

/** Covers the console. */
export const PanelFrame = ({ children }: { children: ReactNode }) => <div className={classes.alone}>{children}</div>;

/** While the contact of a link is looked up. */
export function PanelSkeleton() {
  return (
    <div aria-busy="true">
      <PageTitle title="Contact" />
      <div className={classes.state} />
    </div>
  );
}

/** The summary as a page without navigation, next to a ticket of a help desk. */
export function PanelPage({ contact }: { contact: string }) {
  const { data } = useQuery(contactQuery(contact));
  const page = useHref(paths.contact(contact));
  return (
    <PanelFrame>
      <PageTitle title={data === undefined ? 'Contact' : personName(data.data)} />
      <ContactSummary contact={contact} />
      <p>
        <a href={page} target="_blank" rel="noopener">
          Open the page of this contact
        </a>
      </p>
    </PanelFrame>
  );
}
