import { useEffect, useState } from 'preact/hooks'
import { reloadAll } from '../../answers.ts'
import { api } from '../../api.ts'
import { bytes, counted } from '../../format.ts'
import { canKeep, forgetKept, isKeeping } from '../../kept/kept.ts'
import { useSession } from '../../state.ts'
import { Switch } from '../../ui/switch.tsx'

const answers = () => import('../../kept/answers.ts')

/** The switch for reading while Harrier is away, with what it leaves on this device. */
export function KeepSetting() {
  const session = useSession()
  const [isOn, setOn] = useState(isKeeping)
  const [size, setSize] = useState('')
  useEffect(() => {
    if (!isOn) return setSize('')
    void answers().then(({ keptNow }) => {
      const kept = keptNow()
      if (kept !== null && kept.bytes > 0) setSize(` Now: ${counted(kept.runs, 'run')}, ${bytes(kept.bytes)}.`)
    })
  }, [isOn])
  const turn = async (wanted: boolean) => {
    setOn(wanted)
    if (!wanted) await forgetKept()
    else if ('user' in session) {
      const { beginKeeping } = await answers()
      beginKeeping(session.user.userId)
      // what is loaded already is loaded once more, and then kept
      reloadAll()
      await api.get('/auth/me')
    }
  }
  return (
    <Switch label="Keep on this device" isOn={isOn} isFixed={!canKeep()} onTurn={(wanted) => void turn(wanted)}>
      {canKeep()
        ? `The dashboard, the list and the last 50 runs you open stay readable when Harrier can’t be reached. They take up to 20 MB in this browser, without photos, original files, settings or keys. Logging out or turning this off deletes them.${size}`
        : 'Reading offline needs https: browsers keep nothing over plain http.'}
    </Switch>
  )
}
