import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toastDone } from '../../undo.ts'
import { useAction } from '../../use-action.ts'
import { TERMS } from '../../words.ts'
import type { Detail, Sources } from '../types.ts'

/** Says that values of the files were corrected, and leads to them. */
export function CorrectedLine({ run: { corrections, stated } }: { readonly run: Detail }) {
  if (corrections === 0) return null
  const text =
    corrections === 1 ? '1 value of the file was corrected' : `${corrections} values of the file were corrected`
  return (
    <p>
      <button type="button" class="bare muted small flow run-corrected" onClick={showSources}>
        {stated ? 'The file’s values count, without corrections' : text}
        <Icon name="below" />
      </button>
    </p>
  )
}

function showSources() {
  const card = document.querySelector<HTMLDetailsElement>('.run-sources')
  if (card === null) return
  card.open = true
  card.querySelector('summary')?.focus()
  // it grows when what it shows is loaded
  const growth = new ResizeObserver(() => card.scrollIntoView())
  growth.observe(card)
  setTimeout(() => growth.disconnect(), 2000)
}

/** A sentence for each correction, and the choice of what counts. */
export function Corrections({ runId, corrections, choices: { stated } }: Sources & { readonly runId: string }) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  if (corrections.length === 0) return null
  const choose = () =>
    act(async () => {
      const receipt = await api.change('PATCH', `/workouts/${runId}`, { stated: !stated })
      toastDone(stated ? 'The corrected values count' : 'The file’s values count', [receipt])
    })
  return (
    <div class="sources-repairs stack gap-3">
      <ul class={stated ? 'stack gap-1 muted' : 'stack gap-1'} aria-label="Corrections">
        {corrections.map(({ reason }) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p class="flow">
        {stated && <span>You chose the file’s values.</span>}
        <Button size="small" disabled={isBusy} onClick={() => void choose()}>
          {stated ? 'Use the corrected values' : 'Use the file’s values'}
        </Button>
      </p>
    </div>
  )
}
