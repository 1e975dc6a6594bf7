import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { capitalised, counted } from '../../format.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { toastDone } from '../../undo.ts'
import { attempt } from '../../use-action.ts'
import type { Sources } from '../types.ts'
import { CHANNELS } from './channel-words.ts'

type Channel = keyof typeof CHANNELS

/** Of a merged run: where each channel comes from, to be changed, and the way back to several runs. */
export function Merged({ runId, recordings }: { readonly runId: string; readonly recordings: Sources['recordings'] }) {
  const { data } = useResource(`/workouts/${runId}?includeRaw=false&includeRoute=false`)
  const [isAsking, setAsking] = useState(false)
  const fields = data?.fieldSources ?? null
  if (fields === null) return null
  const choose = (channel: Channel, id: string) =>
    attempt(async () => {
      const receipt = await api.change('PUT', `/workouts/${runId}/field-sources`, { [channel]: id })
      toastDone(`Changed where the ${CHANNELS[channel]} comes from`, [receipt])
    })
  const separate = async () =>
    toastDone('Recordings separated', [await api.change('POST', `/workouts/${runId}/unmerge`, { sourceId: null })])
  const having = (channel: Channel) => recordings.filter(({ channels }) => channels.includes(channel))
  const several = (Object.keys(CHANNELS) as Channel[]).filter((channel) => having(channel).length > 1)
  return (
    <div class="sources-merged">
      <h3>{`Based on ${counted(recordings.length, 'recording')}`}</h3>
      {several.map((channel) => (
        <Select
          key={channel}
          label={capitalised(CHANNELS[channel])}
          value={fields[channel] ?? having(channel)[0]!.id}
          options={having(channel).map(
            ({ id, filename, device }, k) => [id, device ?? filename ?? `Recording ${k + 1}`] as const,
          )}
          onValue={(id) => void choose(channel, id)}
        />
      ))}
      <Button onClick={() => setAsking(true)}>Separate</Button>
      {isAsking && (
        <Confirm
          title="Separate the recordings?"
          action="Separate"
          onConfirm={separate}
          onClose={() => setAsking(false)}
        >
          <p class="muted">
            Each becomes a run of its own again, with the name, notes, shoe and photos it had. What you changed or added
            since stays with this one, repairs with the recording they were made on.
          </p>
        </Confirm>
      )}
    </div>
  )
}
