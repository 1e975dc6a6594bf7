import { useRef } from 'preact/hooks'
import { api } from '../../api.ts'
import { ImportButton } from '../../import/import-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { useSubmit } from '../../use-submit.ts'
import { Originals } from './originals.tsx'

/** Export and restore of the library. */
export function Archive() {
  const form = useRef<HTMLFormElement>(null)
  const { fault, submit } = useSubmit(async () => {
    // a form displays its answer, so the session is renewed first to get the archive and not an error
    await api.get('/settings/unit-preference')
    form.current?.submit()
  })
  return (
    <div class="form">
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <form ref={form} method="post" action="/workouts/export" hidden />
      <div class="actions start">
        <Button icon="download" onClick={submit}>
          Download archive
        </Button>
        <ImportButton text="Restore archive" kind="plain" isArchive />
      </div>
      <p class="muted small">Restoring adds what’s missing and changes nothing else.</p>
      <Originals />
    </div>
  )
}
