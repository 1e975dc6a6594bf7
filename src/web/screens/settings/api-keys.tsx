import { useState } from 'preact/hooks'
import { LENGTHS } from '../../../base/texts.ts'
import { api } from '../../api.ts'
import { date } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { ApiKey } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Notice, Pending } from '../../ui/empty.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { useSubmit } from '../../use-submit.ts'
import { CopiedText } from './copied-text.tsx'
import { KEYS } from './keys-path.ts'
import { arrivalWords } from './phone/arrival-words.ts'

type Scope = ApiKey['scope']

const SCOPES: readonly (readonly [scope: Scope, words: string])[] = [
  ['full', 'Everything'],
  ['read', 'Read only'],
  ['upload', 'Upload only'],
]
const SCOPE_WORDS: Readonly<Record<Scope, string>> = { full: '', read: ' · read only', upload: ' · upload only' }

export function ApiKeys() {
  const { data, error } = useResource(KEYS)
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<Scope>('full')
  const [made, setMade] = useState<string | null>(null)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const { isBusy, fault, submit } = useSubmit(async () => {
    const { key } = await api.send('POST', KEYS, { label, scope })
    setMade(key)
    setLabel('')
  })
  return (
    <div class="form">
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      <form class="line-form" onSubmit={submit}>
        <Field label="Key label" maxLength={LENGTHS.label} value={label} onText={setLabel} placeholder="Sync script" />
        <Select label="Access" value={scope} options={SCOPES} onValue={setScope} />
        <Button type="submit" icon="key" isBusy={isBusy}>
          Create key
        </Button>
      </form>
      {data === null ? (
        <Pending error={error} count={2} height="44px" />
      ) : (
        <ul class="rows">
          {data.map((key) => (
            <li class={key.revokedAt === null ? 'row' : 'row revoked'} key={key.id}>
              <span class="key-text">
                <strong>{key.label ?? 'No label'}</strong>
                <span class="muted small">
                  <span class="mono">{key.keyPrefix}…</span> created {date(key.createdAt)}
                  {key.revokedAt !== null && `, revoked ${date(key.revokedAt)}`}
                  {SCOPE_WORDS[key.scope]}
                </span>
                {key.lastUpload !== null && <span class="muted small">{arrivalWords(key.lastUpload)}</span>}
              </span>
              {key.revokedAt === null && (
                <Button kind="danger" size="small" onClick={() => setRevoked(key)}>
                  Revoke
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {made !== null && <NewKey value={made} onClose={() => setMade(null)} />}
      {revoked !== null && <Revoke apiKey={revoked} onClose={() => setRevoked(null)} />}
    </div>
  )
}

function NewKey({ value, onClose }: { readonly value: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <p>Copy it now. Harrier can’t show it again.</p>
      <CopiedText id="new-key" value={value}>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </CopiedText>
    </Dialog>
  )
}

function Revoke({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  return (
    <Confirm
      title={`Revoke ${apiKey.label ?? apiKey.keyPrefix}?`}
      action="Revoke"
      onConfirm={() => api.send('DELETE', `${KEYS}/${apiKey.id}`)}
      onClose={onClose}
    >
      <p class="muted">Programs that use it lose access immediately. This can’t be undone.</p>
    </Confirm>
  )
}
