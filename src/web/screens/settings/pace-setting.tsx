import { type PaceClock, setPaceClock, usePaceClock } from '../../shown-pace.ts'
import { Segments } from '../../ui/field.tsx'

/** Whether times and paces use moving or elapsed time. */
export function PaceSetting() {
  return (
    <div class="row">
      <span class="key-text">
        <span>Time and pace of runs</span>
        <span class="muted small">Races always show elapsed time</span>
      </span>
      <Segments<PaceClock>
        legend="Time and pace of runs"
        value={usePaceClock()}
        options={[
          ['moving', 'Moving'],
          ['elapsed', 'Elapsed'],
        ]}
        onValue={setPaceClock}
      />
    </div>
  )
}
