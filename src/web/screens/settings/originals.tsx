import { useRef, useState } from 'preact/hooks'
import { saveRuns, type ZipProgress } from '../../downloads/save-runs.ts'
import { bytes, counted, number } from '../../format.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { useSubmit } from '../../use-submit.ts'

/** Downloads the original files of all runs as one ZIP. */
export function Originals() {
  const { data } = useResource('/workouts?pageSize=1')
  const [progress, setProgress] = useState<ZipProgress | null>(null)
  const stop = useRef<AbortController | null>(null)
  const { isBusy, fault, submit } = useSubmit(async () => {
    setProgress({ runs: 0, bytes: 0 })
    stop.current = new AbortController()
    const { signal } = stop.current
    await saveRuns({ format: 'original', filter: {} }, { onProgress: setProgress, signal })
  })
  const total = data?.totalCount ?? 0
  return (
    <>
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <div class="actions start">
        <Button icon="file" isBusy={isBusy} disabled={total === 0} onClick={submit}>
          Download originals
        </Button>
        {isBusy && progress !== null && (
          <>
            <span class="muted small" role="status">
              {number(Math.min(progress.runs, total))} of {counted(total, 'run')}, {bytes(progress.bytes)}
            </span>
            <Button kind="quiet" size="small" onClick={() => stop.current?.abort()}>
              Cancel
            </Button>
          </>
        )}
      </div>
      <p class="muted small">
        Your uploaded files by year, with a table of all runs, for use in other programs. Photos and notes are in the
        archive.
      </p>
    </>
  )
}
