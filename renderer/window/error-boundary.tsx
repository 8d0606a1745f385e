// Catches what breaks while drawing, so that the window says what to press instead of going blank.

import { Component, type ReactNode } from 'react';
import { t } from '../../app/contract/messages.ts';
import { Button } from './parts/button.tsx';
import { Failure } from './parts/view.tsx';

interface Props {
  /** Another value tries again: the view's name. */
  of: string;
  children: ReactNode;
}

export class ErrorBoundary extends Component<Props, { isBroken: boolean; of: string }> {
  override state = { isBroken: false, of: this.props.of };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  static getDerivedStateFromProps(props: Props, state: { of: string }) {
    return props.of === state.of ? null : { isBroken: false, of: props.of };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <div className="broken">
        <Failure
          sentence={t(
            'This part of the window stopped working. The host goes on serving, and nothing was lost. Press “Show again”; if that does not help, close the window and open it from the tray.',
          )}
          action={
            <Button look="primary" autoFocus onPress={() => this.setState({ isBroken: false })}>
              {t('Show again')}
            </Button>
          }
        />
      </div>
    );
  }
}
