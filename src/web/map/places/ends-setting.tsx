import { distance, text } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { Select } from '../../ui/field.tsx'
import { useSetting } from '../../use-setting.ts'

const CHOICES_M = [0, 100, 200, 400, 800, 1600] as const

/** How much of the ends of every run others don't see. */
export function EndsSetting() {
  const units = useUnits()
  const { data, save } = useSetting('/settings/privacy')
  const now = data?.trimEndsM ?? 0
  const options = [...new Set([...CHOICES_M, now])]
    .sort((a, b) => a - b)
    .map((metres) => [String(metres), metres === 0 ? 'Nothing' : text(distance(metres, units, 1))] as const)
  return (
    <section class="card place-ends stack gap-2" aria-labelledby="ends">
      <h2 id="ends">What others see</h2>
      <Select
        label="Cut from the start and end of every run"
        value={String(now)}
        options={options}
        onValue={(metres) => void save({ trimEndsM: Number(metres) })}
      />
      <p class="muted small">
        At least this much is cut, usually about twice as much, so that the cuts don’t give the start away. It applies
        to trimmed downloads. Choose “Download trimmed GPX” from the menu of a run, or select runs in the list and
        download “Trimmed GPX”.
      </p>
    </section>
  )
}
