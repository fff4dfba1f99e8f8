import { getContactActivity } from '#contract/activity.ts';
import { useCapability } from '../session/useSession.ts';
import { Section } from '../ui/Section.tsx';
import classes from './ContactRecord.module.css';
import { StorySkeleton } from './timeline/StoryDays.tsx';

/** The page below its title while the contact is looked up or read. */
export function ContactSkeleton() {
  const hasActivity = useCapability(getContactActivity);
  return (
    <div className={classes.skeleton} role="group" aria-busy="true" aria-label="Loading contact">
      <div className={classes.head} />
      <div className={classes.columns}>
        <div className={classes.card} data-pending />
        <div className={classes.story}>
          {hasActivity && (
            <Section id="engagement-loading" title="Engagement" rightSection={null}>
              <div className={classes.chart} />
            </Section>
          )}
          <Section id="story-loading" title="Story" rightSection={null}>
            <div className={classes.card}>
              <StorySkeleton rows={25} />
            </div>
          </Section>
        </div>
      </div>
    </div>
  );
}
