// The last 24 hours at a glance: saves, open documents and errors, one bar an hour. Each chart has its numbers as text too.

import { formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { ActivityHour } from '../../../app/contract/results.ts';
import { useCommandResult } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Section } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useWindowState } from '../state/window-context.tsx';

const refreshEveryMs = 30_000;

export function DayStrip() {
  const hours = useHours();
  const { go } = useNavigation();
  if (hours === undefined) return null;
  const saves = hours.map((hour) => hour.saves);
  const documents = hours.map((hour) => hour.documents);
  const errors = hours.map((hour) => hour.errors);
  const isQuiet = [...saves, ...documents, ...errors].every((count) => count === 0);
  return (
    <Section
      title={t('Last 24 hours')}
      actions={
        <Button look="quiet" onPress={() => go('activity')}>
          {t('Show activity')}
        </Button>
      }
    >
      {isQuiet ? (
        <p className="day-quiet muted">{t('No activity in the last 24 hours.')}</p>
      ) : (
        <div className="day-strip">
          <Chart
            hours={hours}
            values={saves}
            tone="good"
            title={t('Saves')}
            total={sum(saves)}
            words={t('{count, plural, =0 {No saves} one {# save} other {# saves}} in the last 24 hours', {
              count: sum(saves),
            })}
          />
          <Chart
            hours={hours}
            values={documents}
            tone="muted"
            title={t('Peak open documents')}
            total={Math.max(...documents)}
            words={t(
              'At most {count, plural, one {# open document} other {# open documents}} in an hour of the last 24',
              { count: Math.max(...documents) },
            )}
          />
          <Chart
            hours={hours}
            values={errors}
            tone={sum(errors) === 0 ? 'muted' : 'bad'}
            title={t('Errors')}
            total={sum(errors)}
            words={t('{count, plural, =0 {No errors} one {# error} other {# errors}} in the last 24 hours', {
              count: sum(errors),
            })}
          />
        </div>
      )}
    </Section>
  );
}

/** Undefined until they are known, and while no host runs. */
function useHours(): ActivityHour[] | undefined {
  const status = useWindowState(({ host }) => host.status);
  // What is wrong with the host is shown above.
  return useCommandResult('activity.summary', {}, { reloadKey: status, everyMs: refreshEveryMs }).answer
    ?.hours;
}

const height = 40;
const barWidth = 6;
const step = 8;

function Chart(props: {
  hours: readonly ActivityHour[];
  values: readonly number[];
  tone: 'good' | 'muted' | 'bad';
  title: string;
  total: number;
  /** The text alternative. */
  words: string;
}) {
  const { hours, values } = props;
  const most = Math.max(1, ...values);
  const peak = values.indexOf(Math.max(...values));
  const peakHour = hours[peak];
  const words =
    props.total === 0 || peakHour === undefined
      ? props.words
      : t('{words}, most at {time}', { words: props.words, time: formatTime('clock', peakHour.startMs) });
  return (
    <figure className={`day-chart tone-${props.tone}`}>
      <figcaption>
        <span className="day-title">{props.title}</span>
        <span className="day-total">{t('{count, number}', { count: props.total })}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${hours.length * step - (step - barWidth)} ${height}`}
        preserveAspectRatio="none"
      >
        {values.map((value, index) => {
          const hour = hours[index];
          const length = value === 0 ? 1.5 : Math.max(4, (value / most) * height);
          return (
            <rect
              key={hour?.startMs}
              className={value === 0 ? 'day-bar day-bar-none' : 'day-bar'}
              x={index * step}
              y={height - length}
              width={barWidth}
              height={length}
            >
              <title>
                {t('{time}: {count, number}', {
                  time: formatTime('clock', hour?.startMs ?? 0),
                  count: value,
                })}
              </title>
            </rect>
          );
        })}
      </svg>
      <div className="day-axis" aria-hidden="true">
        <span>{formatTime('clock', hours[0]?.startMs ?? 0)}</span>
        <span>{t('now')}</span>
      </div>
    </figure>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
