import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { counted, date } from '../../format.ts'
import { Link } from '../../router.ts'
import type { Answer } from '../../service.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Pending } from '../../ui/empty.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAction } from '../../use-action.ts'

type Account = Answer<'/settings/sync'>['intervalsIcu']

const SINCE = [
  ['month', 'The last 30 days'],
  ['all', 'All runs'],
] as const

/** The connection to intervals.icu: its state, a round now, or how to connect. */
export function SyncSetting() {
  const { data, error } = useResource('/settings/sync')
  if (data === null) return <Pending error={error} count={3} height="24px" />
  const { intervalsIcu } = data
  return intervalsIcu.connected ? <Connected account={intervalsIcu} /> : <Connect />
}

function Connected({ account }: { readonly account: Account }) {
  const { isBusy, act } = useAction()
  const run = async () => {
    const { created, message } = await api.send('POST', '/settings/sync/intervals-icu/run')
    toast(message ?? (created === 0 ? 'Nothing new' : `${counted(created, 'run')} added`))
  }
  const leave = async () => {
    await api.send('DELETE', '/settings/sync/intervals-icu')
    toast('Disconnected. The runs stay.')
  }
  const { athlete, name, keyEnding, lastRunAt = null, lastReceiptId = null, message = null, stravaOnly = 0 } = account
  return (
    <div class="form">
      <div class="row">
        <span class="key-text">
          <strong>{`intervals.icu · ${name ?? athlete}`}</strong>
          <span class="muted small">{`Key …${keyEnding}`}</span>
          <span class="muted small">
            {lastRunAt === null ? 'Not synced yet' : `Last sync ${date(lastRunAt)}, ${date(lastRunAt, 'time')}`}
          </span>
        </span>
      </div>
      {message !== null && <Notice kind="bad">{`${message}.`}</Notice>}
      {stravaOnly > 0 && (
        <p class="muted">{`${counted(stravaOnly, 'run')} reached intervals.icu through Strava and can’t be read. Connect the watch to intervals.icu directly, or import Strava’s own export.`}</p>
      )}
      <div class="actions start">
        <Button isBusy={isBusy} onClick={() => void act(run)}>
          Sync now
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={() => void act(leave)}>
          Disconnect
        </Button>
        {lastReceiptId !== null && <Link href={`/app/receipts/${lastReceiptId}`}>Last import</Link>}
      </div>
    </div>
  )
}

function Connect() {
  const [apiKey, setKey] = useState('')
  const [since, setSince] = useState<'month' | 'all'>('month')
  const connect = async () => {
    await api.send('PUT', '/settings/sync/intervals-icu', { apiKey, ...(since === 'all' ? { since: null } : {}) })
  }
  return (
    <Form action="Connect" isPrimary isIncomplete={apiKey === ''} onSend={connect}>
      <p class="muted">
        intervals.icu is free and receives runs from Garmin, COROS, Polar, Suunto, Wahoo, Zepp and others. Its API key
        is under Settings › Developer Settings. Harrier only reads.
      </p>
      <Field label="intervals.icu API key" value={apiKey} onText={setKey} autocomplete="off" isVerbatim />
      <Select label="Import" value={since} options={SINCE} onValue={setSince} />
    </Form>
  )
}
