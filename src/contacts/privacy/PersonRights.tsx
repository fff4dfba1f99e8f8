import { Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { eraseContact, exportPerson, type PersonFormat } from '#contract/privacy.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { requestFile } from '../../api/requestFile.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability } from '../../session/useSession.ts';
import { useExport } from '../../table/export/useExport.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { announce } from '../../ui/page/announce.ts';
import { openFile } from '../../ui/page/download.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import classes from '../ContactRecord.module.css';
import { RecordComplaint } from '../unsubscribe/RecordComplaint.tsx';
import { type Erased, useEraseContact } from './ErasePerson.tsx';
import { ErasePerson } from './ErasePerson.tsx';

type Props = { record: ReadableContact; onErased: (erased: Erased) => void };

export function PersonRights({ record, onErased }: Props) {
  const canExport = useCapability(exportPerson);
  const canErase = useCapability(eraseContact);
  const eraseDeniedReason = useMissingRole(eraseContact);
  return (
    <details className={classes.menu}>
      <summary className={classes.more} aria-label="More actions" title="More actions">
        <IconDots size={16} />
      </summary>
      <section className={classes.rights} aria-labelledby="rights" tabIndex={-1}>
        <RecordComplaint record={record} />
        <h2 id="rights">Data protection</h2>
        {canExport && <ExportPerson contact={record.uuid} />}
        {canErase &&
          (eraseDeniedReason === null ? (
            <AskToErase record={record} onErased={onErased} />
          ) : (
            <p className="soft">Erasing {eraseDeniedReason}</p>
          ))}
      </section>
    </details>
  );
}

function AskToErase({ record, onErased }: { record: ReadableContact; onErased: (erased: Erased) => void }) {
  const [isAsking, setAsking] = useState(false);
  const erase = useEraseContact(record, onErased);
  const ask = () => {
    if (erase.isError) erase.reset();
    setAsking(true);
  };
  const close = () => {
    // The dialog has shown it. That the person may be gone stays.
    if (erase.isError && !erase.mayBeGone) erase.reset();
    setAsking(false);
  };
  return (
    <>
      <Button className={classes.erase} size="xs" variant="subtle" color="red" onClick={ask}>
        Erase this person …
      </Button>
      {!isAsking && erase.isError && <ErrorAlert error={erase.error} note={erase.note} />}
      {isAsking && <ErasePerson record={record} erase={erase} onClose={close} />}
    </>
  );
}

const FILES: Readonly<Record<PersonFormat, { label: string; type: string }>> = {
  html: { label: 'As a page to read', type: 'text/html' },
  json: { label: 'As JSON', type: 'application/json' },
};

function ExportPerson({ contact }: { contact: string }) {
  const exportDeniedReason = useMissingRole(exportPerson);
  const [characters, setCharacters] = useState(0);
  const { start, cancel, isPending, error, outcome } = useExport(async (format: PersonFormat, signal) => {
    setCharacters(0);
    if (!(await saveFile(contact, format, signal, setCharacters))) return null;
    announce('Saved');
    return 'saved' as const;
  });
  if (exportDeniedReason !== null) return <p className="soft">Exporting everything {exportDeniedReason}</p>;
  return (
    <>
      <p className="soft">Everything about this person: record, changes and events.</p>
      {isPending ? (
        <div className={classes.formats}>
          <span role="status">{formatCount(Math.round(characters / 1_000_000))} MB saved</span>
          <Button ref={refocusOnRemoval} size="xs" variant="default" onClick={cancel}>
            Cancel
          </Button>
        </div>
      ) : (
        <div className={classes.formats} role="group" aria-label="Export everything about this person">
          {(Object.keys(FILES) as PersonFormat[]).map((format) => (
            <Button key={format} ref={refocusOnRemoval} size="xs" variant="default" onClick={() => start(format)}>
              {FILES[format].label}
            </Button>
          ))}
        </div>
      )}
      {outcome === 'cancelled' && <p>Cancelled. Nothing was saved.</p>}
      {outcome === 'saved' && (
        <p>Saved. Review it before you send it: it contains personal data and colleagues’ notes.</p>
      )}
      {error !== null && <ErrorAlert error={error} />}
    </>
  );
}

async function saveFile(
  contact: string,
  format: PersonFormat,
  signal: AbortSignal,
  onProgress: (characters: number) => void,
): Promise<boolean> {
  const file = await openFile(`person-${contact}.${format}`, FILES[format].type);
  if (file === null) return false;
  try {
    let characters = 0;
    for await (const text of requestFile(exportPerson, { contact, query: { format } }, signal)) {
      await file.write(text);
      characters += text.length;
      onProgress(characters);
    }
    await file.close();
    return true;
  } catch (error) {
    await file.discard();
    throw error;
  }
}
