// Two or more faces of one place.

import type { ReactNode } from 'react';
import { formatCount } from '../../../app/contract/format.ts';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';

export interface TabsProps {
  label: string;
  tabs: readonly { id: string; title: string; count?: number; children: ReactNode }[];
  /** The selected panel fills the height, such as one with a table. */
  isFilled?: boolean;
  selected?: string;
  onSelect?: (id: string) => void;
}

export function Tabs(props: TabsProps) {
  return (
    <AriaTabs
      className={props.isFilled === true ? 'tabs tabs-filled' : 'tabs'}
      {...(props.selected === undefined ? {} : { selectedKey: props.selected })}
      {...(props.onSelect === undefined ? {} : { onSelectionChange: (key) => props.onSelect?.(String(key)) })}
    >
      <TabList className="tab-list" aria-label={props.label}>
        {props.tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className="tab">
            {tab.title}
            {tab.count !== undefined && (
              <>
                {' '}
                <span className="tab-count">{formatCount(tab.count)}</span>
              </>
            )}
          </Tab>
        ))}
      </TabList>
      {props.tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="tab-panel">
          {tab.children}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
