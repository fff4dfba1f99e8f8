import type { ReactNode } from 'react';
import type { ReadableDomain } from '#contract/domain.ts';
import classes from './kindLights.module.css';
import { judgeKinds, LIGHT_LABELS, type Light } from './judgeKind.ts';
import { RECORD_KIND_LABELS, type RecordKind } from '../records/recordKind.ts';

/** What each kind of record can show. Made once: a page has a hundred lights, and React skips those that stay the same. */
const LIGHTS = [lightsOf('dkim'), lightsOf('spf'), lightsOf('dmarc'), lightsOf('mailFrom')];

/**
 * A light for each kind of record, by the verdicts that the service has stored: an icon, and its word on hover and for screen readers. The
 * word is no hidden text, of which each is clipped by itself with every paint.
 */
export function kindLights(domain: ReadableDomain): ReactNode {
  const judge = judgeKinds(domain);
  return <ul className={classes.lights}>{LIGHTS.map(({ kind, lights }) => lights[judge(kind)])}</ul>;
}

function lightsOf(kind: RecordKind) {
  const name = RECORD_KIND_LABELS[kind];
  const draw = (light: Light): ReactNode => {
    const { tone, label } = LIGHT_LABELS[light];
    return (
      <li key={kind}>
        <span
          role="img"
          className="state-icon"
          data-tone={tone}
          title={`${name}: ${label}`}
          aria-label={`${name}: ${label}`}
        >
          {name}
        </span>
      </li>
    );
  };
  const lights = { valid: draw('valid'), invalid: draw('invalid'), unknown: draw('unknown'), none: draw('none') };
  return { kind, lights };
}
