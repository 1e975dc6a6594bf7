import { useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { failureToast, Lazy } from '../ui/loaded.tsx'

/** Opens the form for a run without a recording; its code is loaded at the first press. */
export function AddRunButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" icon="plus" aria-label="Add a run" title="Add a run" onClick={() => setOpen(true)} />
      {isOpen && <Lazy load={loadDialog} props={{ onClose: () => setOpen(false) }} waiting={failureToast} />}
    </>
  )
}

const loadDialog = () => import('./add-run-dialog.tsx').then(({ AddRunDialog }) => AddRunDialog)
