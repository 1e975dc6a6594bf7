import { useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { addFiles } from '../../import/imports.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Originals } from './originals.tsx'

/** Export and restore of the library. */
export function Archive() {
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const download = async () => {
    setFault(null)
    try {
      // a form displays its answer, so the session is renewed first to get the archive and not an error
      await api.get('/settings/unit-preference')
      form.current?.submit()
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div class="form">
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <form ref={form} method="post" action="/workouts/export" hidden />
      <div class="actions start">
        <Button icon="download" onClick={() => void download()}>
          Download archive
        </Button>
        <Button icon="archive" onClick={() => input.current?.click()}>
          Restore archive
        </Button>
        <input
          ref={input}
          type="file"
          accept=".zip,application/zip"
          hidden
          aria-label="Archive to restore"
          onChange={(event) => {
            const { files } = event.currentTarget
            if (files !== null) void addFiles([...files])
            event.currentTarget.value = ''
          }}
        />
      </div>
      <p class="muted small">Restoring adds what’s missing and changes nothing else.</p>
      <Originals />
    </div>
  )
}
