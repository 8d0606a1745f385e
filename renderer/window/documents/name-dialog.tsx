// Asks for the name of something new. The extension is next to the field and can’t be changed, so that the document opens in the editor
// for its type.

import { t } from '../../../app/contract/messages.ts';
import { FormDialog, useForm } from '../parts/form.tsx';
import { fullName, nameProblem } from './names.ts';

export function NameDialog(props: {
  title: string;
  stem: string;
  extension: string;
  /** Below the field. */
  hint: string;
  /** Names in the folder, as far as they are known. */
  taken: readonly string[];
  /** What it throws is shown below the field, and the dialog stays. */
  onConfirm(name: string): Promise<void>;
  onClose(): void;
}) {
  const { title, extension, taken, onConfirm, onClose } = props;
  const form = useForm({
    fields: [
      {
        name: 'stem',
        label: t('window.name'),
        hint: props.hint,
        initial: props.stem,
        check: (stem) => nameProblem(stem, extension, taken),
        action: extension !== '' && <span className="code documents-extension">{extension}</span>,
      },
    ],
    fieldOf: () => 'stem',
    submit: async (_call, { stem }) => onConfirm(fullName(stem, extension)),
  });
  return <FormDialog title={title} confirm={t('window.create')} form={form} onClose={onClose} />;
}
