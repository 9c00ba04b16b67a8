"""What people do with a log: clones, branches and machines that exchange what they wrote."""
